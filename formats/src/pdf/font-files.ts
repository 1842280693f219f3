// The files of the letters. As .woff and .ttf: PDFKit 0.20 breaks on accents in .woff2.
import { dirname, join } from 'node:path'

export type Weight = 'plain' | 'strong' | 'heavy' | 'slant'

/** Scripts, the commonest first: a file is opened when a letter is met that those before do not have. */
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'] as const
const NAMES: Record<Weight, string> = {
  plain: '400-normal',
  strong: '600-normal',
  heavy: '700-normal',
  slant: '400-italic',
}

const noto = getPackageFolder('@fontsource/noto-sans')
/** Arrows, signs, and the letters that people adorn their names with. */
const signs = join(getPackageFolder('@fontsource/noto-sans-math'), 'files', 'noto-sans-math-latin-400-normal.woff')
const emoji = join(getPackageFolder('@expo-google-fonts/noto-emoji'), '400Regular', 'NotoEmoji_400Regular.ttf')

/** Where to look for a letter, one after the other. What is slanted has no other scripts than the first two. */
export const FACES: Record<Weight, readonly string[]> = {
  plain: listFontFiles('plain'),
  strong: listFontFiles('strong'),
  heavy: listFontFiles('heavy'),
  slant: [...listFontFiles('slant').slice(0, 2), ...listFontFiles('plain')],
}

function listFontFiles(weight: Weight): string[] {
  return [...SCRIPTS.map(script => join(noto, 'files', `noto-sans-${script}-${NAMES[weight]}.woff`)), signs, emoji]
}

/** Where letters that are written from right to left are looked for first: the signs have some of them, alone and unjoined. */
export const RIGHTWARD_FACES: Record<Weight, readonly string[]> = {
  plain: listRightToLeftFonts('plain'),
  strong: listRightToLeftFonts('strong'),
  heavy: listRightToLeftFonts('heavy'),
  slant: listRightToLeftFonts('plain'),
}

function listRightToLeftFonts(weight: Weight): string[] {
  return ['arabic', 'hebrew'].map(script => {
    const name = `noto-sans-${script}`
    return join(getPackageFolder(`@fontsource/${name}`), 'files', `${name}-${script}-${NAMES[weight]}.woff`)
  })
}

function getPackageFolder(name: string): string {
  return dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir))
}
