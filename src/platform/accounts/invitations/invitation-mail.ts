import type { Role } from '../../../common/access/index.js';
import { composeMail, nameInMail, type ComposedMail } from '../../mail/index.js';

/** Composes the mail with an invitation's link. Pure. */
export function invitationMail(invitation: {
  readonly tenantName: string;
  readonly invitedBy: string;
  readonly role: Role;
  readonly link: string;
}): ComposedMail {
  const { invitedBy, role, link } = invitation;
  const name = nameInMail(invitation.tenantName);
  return composeMail(
    `Invitation to ${name}`,
    [
      `${invitedBy} invites you to ${name} on Pierhead, with the role ${role}.`,
      'Open this link within 7 days to accept. It works once.',
      { button: link, label: 'See the invitation' },
      'If you did not expect this mail, ignore it: nothing happens unless you accept.',
    ],
    'because you were invited',
  );
}
