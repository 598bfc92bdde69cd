"""The quickstart in Python; it writes the same bytes as main.ts."""
from cdk8s import ApiObject, Chart, JsonPatch
from cdk8s_dra import (
    DeviceClass,
    DeviceRequest,
    DriverProfile,
    KubernetesTarget,
    PlatformApp,
    PodDevices,
    ResourceClaimTemplate,
)

# One app describes one cluster; `outdir` is `dist` unless `cdk8s synth` says otherwise.
app = PlatformApp(kubernetes=KubernetesTarget.of("1.34"))
gpu = DriverProfile.example_gpu()

# dist/20-classes.yaml: what the platform team offers.
classes = Chart(app, "20-classes")
large = DeviceClass(classes, "gpu-large", driver=gpu, selectors=[gpu.memory.at_least("40Gi")])

# dist/50-team-vision.yaml: what a team asks for.
team = Chart(app, "50-team-vision", namespace="vision")
trainer = ResourceClaimTemplate(
    team,
    "trainer",
    requests=[DeviceRequest.exactly("gpus", device_class=large, count=2)],
)

job = ApiObject(team, "train", api_version="batch/v1", kind="Job", metadata={"name": "train"})
# In Python an ApiObject takes the rest of its manifest as a patch.
container = {"image": "registry.example.com/vision/train:1", "name": "train"}
job.add_json_patch(JsonPatch.add("/spec", {"template": {"spec": {"containers": [container], "restartPolicy": "Never"}}}))
PodDevices.of(job).add_claim("gpus", trainer, containers=["train"])

app.synth()
