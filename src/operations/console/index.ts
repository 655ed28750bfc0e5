export { ConsoleModule } from './console.module.js';
export { ConsolePages } from './console-pages.js';
