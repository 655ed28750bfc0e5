import { ApiProperty } from '@nestjs/swagger';
import { EmailField, EXAMPLE, TextField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { MAX_FINGERPRINT } from '../licenses/index.js';
import { DeviceClaimToken } from './checkout.dto.js';

/** A device of a buyer who has no code at hand. */
@IgnoresUnknownFields()
export class AskRestore {
  @TextField({ description: 'The id of the extension.', max: 64, example: EXAMPLE.id })
  extensionId!: string;

  @TextField({
    description: 'Identifies the device, as for POST /licensing/activate.',
    max: MAX_FINGERPRINT,
    verbatim: true,
    example: 'b7f0c3a19d2e',
  })
  fingerprint!: string;

  @EmailField({ description: 'The address with which the license was bought.' })
  email!: string;
}

/** A device that waits for its buyer to open a link. The answer is the same for every address. */
export class RestoreAsked extends DeviceClaimToken {
  @ApiProperty({
    description: 'Show it: the page of the link shows the same, by which buyers know that they asked.',
    example: '4821',
  })
  number!: string;
}
