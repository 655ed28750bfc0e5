import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { SCOPES, type Scope, type ScopePermission } from '../../../common/access/index.js';
import {
  ChoicesField,
  IdsField,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  PatternField,
  NameField,
  TextField,
} from '../../../common/fields/index.js';
import { MAX_RESTRICTED_TO } from '../access-tokens/index.js';
import { repositoryName } from './repository-name.js';

/** The scopes that a rule may give: each is named, none means others. */
export const NAMED_SCOPES = SCOPES.filter((scope) => scope !== '*');

/** A new trust rule. */
export class CreateTrustRule {
  @NameField({ description: 'Name of the rule.', max: 100, example: 'Releases' })
  name!: string;

  @TextField({
    description: 'Issuer of the tokens, one of CI_ISSUERS. Default: the first of them.',
    max: 255,
    optional: true,
    example: 'https://token.actions.githubusercontent.com',
  })
  issuer?: string;

  @Transform(({ value }: { readonly value: unknown }) => (typeof value === 'string' ? repositoryName(value) : value))
  @PatternField({
    description:
      'Owner and name of the repository, or path of the project; its address is taken as well. Case is ignored.',
    pattern: /^(?=.{3,255}$)[\w.-]+(\/[\w.-]+)+$/,
    message: 'must be owner and name of a repository, such as acme/tab-counter.',
    example: 'acme/tab-counter',
  })
  repository!: string;

  @PatternField({
    description:
      'Full ref of the run; each `*` stands for any characters except `/`. Required unless `environment` is set.',
    pattern: /^refs\/(heads|tags)\/[^\s~^:?[\\]{1,240}$/,
    message: 'must be a full ref, such as refs/heads/main or refs/tags/v*.',
    optional: true,
    example: 'refs/tags/v*',
  })
  ref?: string;

  @TextField({
    description: 'Deployment environment of the job; `*` as in `ref`. Required unless `ref` is set.',
    max: 255,
    optional: true,
    example: 'store',
  })
  environment?: string;

  @ChoicesField({ description: 'What its tokens may do. Each scope is named; there is no `*`.', of: NAMED_SCOPES })
  scopes!: ScopePermission[];

  @IdsField({
    description: 'Restricts its tokens to these extensions. Absent or null: all extensions, later ones included.',
    maxEntries: MAX_RESTRICTED_TO,
    optional: true,
    nullable: true,
    example: null,
  })
  extensionIds?: string[] | null;
}

/** A trust rule. */
export class TrustRule {
  @ApiProperty({ format: 'uuid', description: 'Id of the rule.' })
  id!: string;

  @ApiProperty({ description: 'Name given by its creator.', example: 'Releases' })
  name!: string;

  @ApiProperty({
    description: 'Issuer of the tokens that it trusts.',
    example: 'https://token.actions.githubusercontent.com',
  })
  issuer!: string;

  @ApiProperty({
    description: 'Owner and name of the repository, or path of the project, in lower case.',
    example: 'acme/tab-counter',
  })
  repository!: string;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      "The issuer's id of the repository that first used the rule. The rule trusts no other repository of that name; null before the first use.",
    example: '74',
  })
  repositoryId!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Pattern of the full ref; null for any.', example: 'refs/tags/v*' })
  ref!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Pattern of the deployment environment; null for any or none.',
    example: 'store',
  })
  environment!: string | null;

  @ApiProperty({ enum: NAMED_SCOPES, isArray: true, description: 'What its tokens may do.' })
  scopes!: readonly Scope[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    nullable: true,
    description: 'The extensions that its tokens are restricted to; null for all.',
    example: null,
  })
  extensionIds!: readonly string[] | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it last issued a token; null if never.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ description: 'When it was added.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed, other than by being used.' })
  updatedAt!: Date;
}
