import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TONES, TURNS, type Display, type Tone, type Turn } from './phase.js';

/** Display of the state of a target or a version. */
@ApiSchema({ name: 'Display' })
export class DisplayView implements Display {
  @ApiProperty({ description: 'The state in a word or two.', example: 'in review' })
  word!: string;

  @ApiProperty({
    enum: TONES,
    description:
      'live: users get it; underway: nobody has to act but the store or Pierhead; needs_you and rejected: you act; off: it rests.',
  })
  tone!: Tone;

  @ApiProperty({
    type: String,
    enum: [...TURNS, null],
    nullable: true,
    description: 'Who acts next: you, the store, or Pierhead; null when nobody has to.',
  })
  turn!: Turn | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 5,
    description: 'Stages behind it: pushed, checked, in review, approved, live.',
  })
  progress!: number;
}
