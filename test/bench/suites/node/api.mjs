import { fork } from 'node:child_process';
import { bundleTypeScript } from '../../timing/upstream.mjs';

/** The played API server in a process of its own. */
export class Api {
  #child;
  #waiting = new Map();
  #next = 0;

  static async start() {
    const api = new Api();
    api.#child = fork(await bundleTypeScript('driver/test/node/played/api-process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    api.#child.on('exit', code => {
      for (const { reject } of api.#waiting.values()) reject(new Error(`the played API server ended with ${code}; its words are above`));
    });
    api.#child.on('message', ({ id, answer }) => {
      api.#waiting.get(id).resolve(answer);
      api.#waiting.delete(id);
    });
    api.url = await api.ask('url');
    return api;
  }

  ask(question, argument) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (!this.#child.connected) return reject(new Error('the played API server has ended; its words are above'));
      return this.#child.send({ id, question, argument });
    });
  }

  stop() {
    this.#child.disconnect();
  }
}
