import { ApiProperty } from '@nestjs/swagger';
import { PROCESSOR_IDS, type ProcessorId } from '../../common/config/index.js';
import { ChoiceField, EXAMPLE, TextField } from '../../common/fields/index.js';
import { IgnoresUnknownFields } from '../../common/http/index.js';
import { MAX_FINGERPRINT } from '../licenses/index.js';

/** What a device wants to buy. */
@IgnoresUnknownFields()
export class AskCheckout {
  @TextField({ description: 'The id of the extension.', max: 64, example: EXAMPLE.id })
  extensionId!: string;

  @TextField({ description: 'The tier of the plan to buy.', max: 64, example: 'pro' })
  tier!: string;

  @TextField({
    description: 'Identifies the device, as for POST /licensing/activate.',
    max: MAX_FINGERPRINT,
    verbatim: true,
    example: 'b7f0c3a19d2e',
  })
  fingerprint!: string;

  @ChoiceField({
    description: 'Buys at this payment processor. Default: that of the plan’s first product with a checkout.',
    of: PROCESSOR_IDS,
    optional: true,
  })
  processor?: ProcessorId;
}

/** A token that only the device can use that asked for it. */
export class DeviceClaimToken {
  @ApiProperty({
    description: 'Claims the code with POST /licensing/claim, on this device alone. Keep it until then.',
    example: 'phc_aR1o4OVb1cQ2qXm0J7l3n5vS8kZ6yT4uW9eC2fH0dGk',
  })
  claimToken!: string;

  @ApiProperty({ description: 'When the token ends.' })
  expiresAt!: Date;
}

/** A checkout for one device. */
export class Checkout extends DeviceClaimToken {
  @ApiProperty({
    description: 'The address to open. The purchase that is made there is tied to the device.',
    example:
      'https://buy.stripe.com/test_eVa5nPg1j1wmfXq5kr?client_reference_id=phc_aR1o4OVb1cQ2qXm0J7l3n5vS8kZ6yT4uW9eC2fH0dGk',
  })
  url!: string;

  @ApiProperty({ enum: PROCESSOR_IDS, description: 'The payment processor.' })
  processor!: ProcessorId;
}
