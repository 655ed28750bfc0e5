import { PatternField, TextField } from '../../common/fields/index.js';
import { VERSION } from '../../stores/index.js';
import { EXAMPLE_REASON } from '../releases/index.js';

/** The words of a store's mail or dashboard about a rejection. */
export class RecordRejection {
  @PatternField({
    description: 'The rejected version, as the list of releases shows it.',
    pattern: VERSION,
    message: 'must be a version, such as 1.4.0.',
    example: '1.4.0',
  })
  version!: string;

  @TextField({
    description: 'The platform, where the store has versions per platform; every one that rejected it when absent.',
    max: 20,
    optional: true,
    example: 'macos',
  })
  platform?: string;

  @TextField({ description: 'What it says, as plain text.', max: 4000, example: EXAMPLE_REASON })
  reason!: string;
}
