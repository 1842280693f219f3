import { expect, test } from 'bun:test'
import { countVagueNames } from '../vague-names.ts'

/** May only fall. A new one is named by what it holds: a request, a notice, the stored row, its options. */
const MOST = 496

test('no more names than before are a participle or a pronoun', async () => {
  expect(await countVagueNames()).toBeLessThanOrEqual(MOST)
})
