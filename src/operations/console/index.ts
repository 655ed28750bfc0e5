export { CONSOLE_ASSETS_PATH } from './console.controller.js';
export { ConsoleModule } from './console.module.js';
export { ConsolePages } from './console-pages.js';
