export { anonymous, answer, answerWithTag, api, send } from './client';
export { useConnection, useLive } from './live';
export { isLogInAsked, loggedInAgain, onLogInAsked } from './log-in';
export { asProblem, Problem } from './problem';
export { queryClient, usePages, useWrite } from './queries';
export { read, useExtensionChoices, useSignInMethods, useStores, type Read } from './reads';
export { endSecondFactor, isSecondFactorAsked, onSecondFactorAsked } from './second-factor';
export type { Schemas } from './schemas';
export { accessToken, dropToken } from './token';
