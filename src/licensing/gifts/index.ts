/** Gift links: each gives a license to the first person who asks for its code. */
export { GiftsModule } from './gifts.module.js';
export { GiftsService } from './gifts.service.js';
