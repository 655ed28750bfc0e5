import { EmailField } from '../../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../../common/http/index.js';
import { EnterForm, FormField, SessionForm } from '../buyer.dto.js';

/** A form about a license. */
@IgnoresUnknownFields()
export class OfLicenseForm extends SessionForm {
  @FormField('Id of the license.')
  license = '';
}

/** The form that invites a person. */
@IgnoresUnknownFields()
export class InviteForm extends OfLicenseForm {
  @EmailField({ description: "The person's address." })
  email!: string;
}

/** The form that removes a person. */
@IgnoresUnknownFields()
export class RemoveForm extends OfLicenseForm {
  @FormField('Id of the member.')
  member = '';
}

/** The form by which a person joins. */
@IgnoresUnknownFields()
export class JoinForm extends EnterForm {
  @EmailField({ description: "The person's address." })
  email!: string;
}
