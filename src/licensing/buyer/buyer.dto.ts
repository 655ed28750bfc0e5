import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { EmailField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';

/** Text of a form, trimmed. A field that is missing or sent twice is empty, which no secret and no id is. */
export const FormField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : '')),
    IsString(),
  );

/** A page or form that can have the look of a seller. */
@IgnoresUnknownFields()
export class SellerQuery {
  @FormField("Id of the seller's tenant.")
  seller = '';
}

/** The form that asks for a link. */
@IgnoresUnknownFields()
export class LinkForm extends SellerQuery {
  @EmailField({ description: "The buyer's address." })
  email!: string;
}

/** Fields of a link, in its query and in the form that uses it. */
@IgnoresUnknownFields()
export class EnterForm extends SellerQuery {
  @FormField('The secret of the link.')
  token = '';
}

/** A form on a page of a session. */
@IgnoresUnknownFields()
export class SessionForm {
  @FormField("The session's form token, which pages of other sites do not know.")
  form = '';
}

/** The form that frees a seat. */
@IgnoresUnknownFields()
export class FreeSeatForm extends SessionForm {
  @FormField('Id of the license.')
  license = '';

  @FormField('Id of the seat.')
  device = '';
}

/** The form that replaces a code. */
@IgnoresUnknownFields()
export class ReplaceCodeForm extends SessionForm {
  @FormField('Id of the license.')
  license = '';

  @FormField('The last characters of the code to replace.')
  hint = '';
}
