export { anonymous, answer, answerWithTag, api, fetchFile } from './client';
export { useDraft, type Tagged } from './draft';
export { useConnection, useLive } from './live';
export { isLogInAsked, loggedInAgain, onLogInAsked } from './log-in';
export { asProblem, PAGE_NOT_LOADED, Problem } from './problem';
export { queryClient, usePages, useWrite, type Write } from './queries';
export {
  hasAnswered,
  together,
  useChoices,
  useMemberChoices,
  useExtensionChoices,
  useRead,
  useSignInMethods,
  useProcessors,
  useStores,
  type Read,
} from './reads';
export { endSecondFactor, isSecondFactorAsked, onSecondFactorAsked } from './second-factor';
export type { Schemas } from './schemas';
export { upload, useBrowserAsks } from './upload';
export { without } from './without';
export { dropToken, keepToken } from './token';
