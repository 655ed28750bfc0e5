/** Characters of `whatsNew` (src/stores/README.md#safari-rules). */
export const SAFARI_MAX_NOTES = 4000;

/** The locales of listings on the App Store (src/stores/README.md#safari-calls). */
export const SAFARI_LOCALES: readonly string[] =
  'ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he hi hr hu id it ja kn-IN ko ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI sv ta-IN te-IN th tr uk ur-PK vi zh-Hans zh-Hant'.split(
    ' ',
  );
