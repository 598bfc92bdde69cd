import { App, Chart, Include } from 'cdk8s';

// Any cdk8s app will do: nothing here knows cdk8s-dra, only cdk8s.yaml does.
const app = new App();
const vision = new Chart(app, 'vision');
new Include(vision, 'classes', { url: `${__dirname}/../manifests/classes.yaml` });
new Include(vision, 'manifests', { url: `${__dirname}/../manifests/vision.yaml` });
app.synth();
