import { afterAll, afterEach } from 'vitest';
import { closeOpened, failure } from './opened.js';
import { profileFile } from './profile.js';

profileFile();
failure.isNoted = false;
afterEach(({ task }) => {
  failure.isNoted ||= task.result?.state === 'fail';
});
afterAll(closeOpened);
