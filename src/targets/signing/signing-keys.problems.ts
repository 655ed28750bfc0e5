import { defineProblem } from '../../common/problems/index.js';

export const SigningKeyNotFound = defineProblem({
  code: 'signing_key_not_found',
  status: 404,
  title: 'Signing key not found',
  cause: 'The target has no signing key.',
  remedy: 'Make one with POST /extensions/{id}/targets/{targetId}/signing-key.',
});

export const SigningKeyExists = defineProblem(
  {
    code: 'signing_key_exists',
    status: 409,
    title: 'The target has a signing key',
    cause: 'The target has another signing key, whose public part the store may know.',
    remedy: 'Delete the key first if the store is to know another one.',
  },
  () => 'This target has another signing key. Delete it first if the store is to know another one.',
);

export const SigningNotSupported = defineProblem(
  {
    code: 'signing_not_supported',
    status: 409,
    title: 'The store takes no .crx packages',
    cause: 'Only the Chrome Web Store takes .crx packages, which a key of their author signs.',
    remedy: 'Push the package; it is sent as it is.',
  },
  (title: string) => `${title} takes no .crx packages, so a key would sign nothing.`,
);
