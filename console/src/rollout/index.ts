export { Ring, RolloutLine, Share } from './ring';
export { Steps } from './steps';
