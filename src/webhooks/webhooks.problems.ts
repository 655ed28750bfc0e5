import { defineProblem } from '../common/problems/index.js';

export const BadSignature = defineProblem({ code: 'bad_signature', status: 401, title: 'Bad signature' }, () => ({
  detail: "The payment processor's signature is missing, wrong, or more than five minutes old.",
  headers: { 'WWW-Authenticate': 'Signature realm="pierhead"' },
}));

export const UnknownTenantOrNoCredential = defineProblem(
  { code: 'unknown_tenant_or_no_credential', status: 404, title: 'Unknown tenant or no credential' },
  () => 'There is no such tenant, or it has no credential for this payment processor.',
);

export const InboxItemNotFound = defineProblem(
  { code: 'inbox_item_not_found', status: 404, title: 'Inbox item not found' },
  () => 'This tenant has no notification with that id.',
);
