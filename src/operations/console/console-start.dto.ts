import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE, pageOf, type Page } from '../../common/fields/index.js';
import { Me } from '../../platform/accounts/index.js';
import { Extension } from '../../registry/index.js';

/** What the console needs before it shows a page. */
export class ConsoleStart {
  @ApiProperty({ type: Me, description: 'What `GET /auth/me` answers.' })
  me!: Me;

  @ApiProperty({
    description: 'The access token of `POST /auth/token`, which lasts 15 minutes.',
    example: EXAMPLE.token,
  })
  token!: string;

  @ApiProperty({ type: pageOf(Extension), description: 'The 100 newest extensions, as `GET /extensions` lists them.' })
  extensions!: Page<Extension>;
}
