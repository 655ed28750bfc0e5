import { expect, it } from 'vitest';
import { featuresIn, metadataIn, shownFeatures, shownMetadata } from './features';

it.each([
  ['', []],
  ['sync', ['sync']],
  [' sync,export \n a.b ', ['sync', 'export', 'a.b']],
])('the features in %j are %j', (text, features) => {
  expect(featuresIn(text)).toEqual(features);
  expect(featuresIn(shownFeatures(features))).toEqual(features);
});

it.each([
  ['', {}],
  ['campaign: spring\n\n url: https://a.example/b ', { campaign: 'spring', url: 'https://a.example/b' }],
  ['campaign', { campaign: '' }],
])('the data in %j is %j', (text, metadata) => {
  expect(metadataIn(text)).toEqual(metadata);
  expect(metadataIn(shownMetadata(metadata))).toEqual(metadata);
});
