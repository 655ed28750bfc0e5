import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { IgnoresUnknownFields } from '../../common/http/index.js';

/** The form that uses a link. */
@IgnoresUnknownFields()
export class GiftForm {
  @ApiProperty({ description: 'The e-mail address of who is to own the license; empty for nobody.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : ''))
  @IsString()
  email = '';
}
