// A text that is longer than its connection takes is refused where it is written, and counted before that.
import { expect, test } from 'bun:test'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { toAttachment } from '../src/composer/attachments.ts'
import { findEditLength, findNearLimit, isTooLong } from '../src/composer/length.ts'
import { appendFiles, createEmptySheet, setSheetText } from '../src/composer/sheet.ts'

const asWritten = (words: string) => words
const most = KIND_TABLE.cloud_api.most.text

test('near the limit it is counted, beyond it is too long; a phone takes far more', () => {
  const written = (length: number) => createEmptySheet('x'.repeat(length))
  expect(findNearLimit('cloud_api', written(3000), asWritten)).toBeNull()
  expect(findNearLimit('cloud_api', written(3900), asWritten)).toEqual({ length: 3900, most })
  expect(isTooLong('cloud_api', written(4096), asWritten)).toBe(false)
  expect(isTooLong('cloud_api', written(4097), asWritten)).toBe(true)
  expect(isTooLong('baileys', written(4097), asWritten)).toBe(false)
  expect(findEditLength('cloud_api', 'x'.repeat(4097), asWritten)).toEqual({ length: 4097, most })
})

test('what goes out counts: with the signature and the words filled in', () => {
  const signed = (words: string) => `*Bruna:*\n${words}`
  expect(isTooLong('cloud_api', createEmptySheet('x'.repeat(4087)), signed)).toBe(false)
  expect(isTooLong('cloud_api', createEmptySheet('x'.repeat(4088)), signed)).toBe(true)
})

test('the words under a file are shorter, also under one that is not shown', () => {
  const pictures = ['um.png', 'dois.png'].map(name => toAttachment(new File(['x'], name, { type: 'image/png' })))
  const sheet = setSheetText(appendFiles(createEmptySheet(), pictures), 'x'.repeat(1025))
  expect(findNearLimit('cloud_api', sheet, asWritten)).toEqual({
    length: 1025,
    most: KIND_TABLE.cloud_api.most.caption,
  })
  const other = { ...sheet, chosen: pictures[1]?.id ?? null }
  expect([findNearLimit('cloud_api', other, asWritten), isTooLong('cloud_api', other, asWritten)]).toEqual([null, true])
})
