export { PlanChoice } from './plan-choice';
