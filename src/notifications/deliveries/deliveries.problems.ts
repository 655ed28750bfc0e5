import { defineProblem } from '../../common/problems/index.js';

export const DeliveryNotFound = defineProblem({
  code: 'delivery_not_found',
  status: 404,
  title: 'Delivery not found',
  cause: 'The tenant has no delivery with this id.',
  remedy: 'List the deliveries with GET /notifications/deliveries.',
});
