import { PatternField, TextField } from '../../common/fields/index.js';
import { VERSION } from '../../stores/index.js';
import { VERSION_FAULT } from '../artifacts.dto.js';

/** The version to publish again, and its new number. */
export class RollBack {
  @PatternField({
    description: 'The version to publish again, as the store shows it; lower than the live one.',
    pattern: VERSION,
    message: VERSION_FAULT,
    example: '1.3.2',
  })
  to!: string;

  @PatternField({
    description:
      'The new number, higher than the live one. 1.2 and 1.2.0 are the same number, under the name that was pinned first.',
    pattern: VERSION,
    message: VERSION_FAULT,
    example: '1.4.0',
  })
  version!: string;

  @TextField({ description: 'Why, for the store and the timeline.', max: 1000, example: 'Version 1.4.0 counts wrong.' })
  reason!: string;
}
