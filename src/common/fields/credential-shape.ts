import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT } from './schemas.js';

/** A file that a store lets a person download, and that contains a field of the credentials. */
@ApiSchema({ name: 'FileOfField' })
export class KeyFile {
  @ApiProperty({
    description:
      "The file's usual name. `*` stands for anything, and the name of a field in braces for the value of that field.",
    example: 'AuthKey_{keyId}.p8',
  })
  readonly name!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The member of the JSON file that holds the value; null if the whole file is the value.',
  })
  readonly member!: string | null;
}

/** One field of the credentials for a store or payment processor, for the person who has to fetch it. */
@ApiSchema({ name: 'FieldOfCredentials' })
export class CredentialField {
  @ApiProperty({ description: 'As in the request, with dots for nested fields.', example: 'publisherId' })
  readonly name!: string;

  @ApiProperty({ description: 'What the store calls it.', example: 'Publisher id' })
  readonly title!: string;

  @ApiProperty({ description: 'Whether the field is a secret.' })
  readonly isSecret!: boolean;

  @ApiProperty({ description: 'Whether the field is required in this form.' })
  readonly isRequired!: boolean;

  @ApiProperty({ description: 'Where to find it.', example: 'Chrome Developer Dashboard, Account: the publisher id.' })
  readonly how!: string;

  @ApiProperty({
    type: KeyFile,
    required: false,
    description: 'The downloaded file that contains it; absent where it is copied from a page.',
  })
  readonly file?: KeyFile;

  @ApiProperty({ required: false, description: 'True for a switch, which is sent as true or false; absent for text.' })
  readonly isSwitch?: true;

  @ApiProperty({
    required: false,
    description: 'True for what stays the same when the key is rotated, and may be left out then; absent otherwise.',
  })
  readonly isKept?: true;
}

/** The forms of the credentials for a store or payment processor. */
export class CredentialForms {
  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { $ref: getSchemaPath(CredentialField) } },
    description: 'The fields of each form that it takes, the recommended form first.',
  })
  forms!: readonly (readonly CredentialField[])[];

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Days after which the credentials expire; null where they do not.' })
  lapsesAfterDays!: number | null;
}

/** The form of a tenant's credentials for a store or payment processor. */
export interface CredentialShape<Credentials extends object> {
  /** DTO class that validates them. */
  readonly type: new () => Credentials;
  /** The one secret whose last four characters may be shown. */
  secretOf(credentials: Credentials): string;
  /** The fields of each accepted form, the recommended form first. */
  readonly forms: readonly (readonly CredentialField[])[];
  /** Days after which they expire; null where they do not. */
  readonly lapsesAfterDays: number | null;
}

/** The account that credentials belong to, as the store or payment processor names it. */
export interface VerifiedIdentity {
  readonly identity: string;
  /** Id of the account in the addresses of the store's pages, where these name it. */
  readonly account?: string;
  /** Whether the store showed that the credentials are that account's; absent where it always does. */
  readonly isAccountProven?: boolean;
}
