/** Gift links: each gives away a license to whoever first asks for its code. */
export { GiftsModule } from './gifts.module.js';
export { GiftsService } from './gifts.service.js';
