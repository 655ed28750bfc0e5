/** The picture of each extension: the icon of its newest package, or its initials. */
export { IconsController } from './icons.controller.js';
export { IconsService } from './icons.service.js';
