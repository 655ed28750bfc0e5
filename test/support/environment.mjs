import asyncHooks from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const { AsyncLocalStorage } = asyncHooks;
/** Made by what Jest loads for the current file. @type {Set<asyncHooks.AsyncLocalStorage<unknown>>} */
const storages = new Set();
// Newer versions of Node.js have a getter here.
Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
  value: class extends AsyncLocalStorage {
    constructor(...given) {
      super(...given);
      storages.add(this);
    }
  },
});

/**
 * Node's environment, with a way out of Jest's module registry, which begins empty in each file: to load the service's three thousand
 * modules there takes seconds. What is imported here is loaded once by each worker.
 */
export default class ServiceEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadService = async () => {
      // Errors name the lines of the sources.
      process.setSourceMapsEnabled(true);
      const { folder } = await (await fetch(`${process.env.TEST_DATABASES}/compiled`)).json();
      this.service = await import(`${folder}/test/support/service.js`);
      return this.service;
    };
  }

  async teardown() {
    await this.service?.endWorlds();
    await super.teardown();
    // Jest's runner makes one for each file. Until 24, Node.js carries each of them through every promise, so that the files after it would be
    // slower and slower.
    for (const storage of storages) storage.disable();
    storages.clear();
  }
}
