import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_TEXT, TextField } from '../../../common/fields/index.js';

/** The page for a browser after it signed in. */
export class BeginSignIn {
  @TextField({
    description:
      'Path of this service to open afterwards. Anything else opens the start page, which is also the default.',
    max: 2000,
    optional: true,
    example: '/extensions',
  })
  returnTo?: string;
}

/** The ways to log in. */
export class SignInMethods {
  @ApiProperty({ description: 'Whether users can log in with a password.' })
  password!: boolean;

  @ApiProperty({ description: 'Whether POST /auth/signup creates accounts now.' })
  signup!: boolean;

  @ApiProperty({
    description: 'Whether nobody has ever had an account here: the first person to sign up becomes the first owner.',
  })
  firstRun!: boolean;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Name of the identity provider behind GET /auth/oidc; null when there is none.',
    example: 'Example Login',
  })
  oidc!: string | null;
}

/** Address for signing in at the provider. */
export class SignInUrl {
  @ApiProperty({
    format: 'uri',
    description: 'Where to send the browser.',
    example: 'https://login.example.com/authorize?client_id=pierhead',
  })
  url!: string;
}
