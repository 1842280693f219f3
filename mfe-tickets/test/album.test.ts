// Albums: consecutive pictures and videos of one sender within a short time (spec 1 §3).
import { describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { canTranscribe } from '../src/actions/message-rules.ts'
import { toMessageRows } from '../src/conversation/rows.ts'
import { getAlbumCaption, getAlbumState } from '../src/message/album.ts'
import { canForward } from '../src/message/can-forward.ts'
import { makeMessage } from './make.ts'

const media = {
  state: 'ready',
  name: 'a.png',
  mime: 'image/png',
  size: 10,
  seconds: null,
  width: 320,
  height: 240,
  voice: false,
  waveform: null,
  thumbUrl: null,
  error: null,
} as const

function photo(id: number, second: number, more: Partial<Message> = {}): Message {
  const createdAt = new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString()
  return makeMessage({ id, seq: id, createdAt, body: '', mediaType: 'image', mediaUrl: `/media/${id}`, media, ...more })
}

function albums(messages: readonly Message[], unread: { firstId: number; count: number } | null = null) {
  const rows = toMessageRows(messages, undefined, instant => instant.slice(0, 10), unread)
  return rows.map(row => (row.album ?? [row.message]).map(message => message.id))
}

describe('spec 1 §3: albums', () => {
  test('pictures and videos one right after the other stand together', () => {
    expect(albums([photo(1, 0), photo(2, 5), photo(3, 9, { mediaType: 'video' })])).toEqual([[1, 2, 3]])
  })

  test('a pause, somebody else, an answer, the unread line or anything but a picture begins anew', () => {
    expect(albums([photo(1, 0), photo(2, 61)])).toEqual([[1], [2]])
    expect(albums([photo(1, 0), photo(2, 1, { fromMe: true, state: 'sent', userId: 7 })])).toEqual([[1], [2]])
    const quotedMsg = {
      id: 1,
      body: '',
      fromMe: false,
      contact: { name: '' },
      isEdited: false,
      editedMsg: null,
      mediaUrl: null,
      thumbUrl: null,
      mediaType: 'chat',
      isDeleted: false,
    } as const
    expect(albums([photo(1, 0), photo(2, 1, { quotedMsg })])).toEqual([[1], [2]])
    expect(albums([photo(1, 0), photo(2, 1)], { firstId: 2, count: 1 })).toEqual([[1], [2]])
    expect(albums([photo(1, 0), photo(2, 1, { mediaType: 'chat', body: 'oi' }), photo(3, 2)])).toEqual([[1], [2], [3]])
  })

  test('deleted, failed and not yet fetched ones stand alone', () => {
    expect(albums([photo(1, 0), photo(2, 1, { isDeleted: true }), photo(3, 2)])).toEqual([[1], [2], [3]])
    expect(albums([photo(1, 0), photo(2, 1, { mediaUrl: null, media: { ...media, state: 'pending' } })])).toEqual([
      [1],
      [2],
    ])
  })

  test('one of them may have words, which stand under the whole', () => {
    const album = [photo(1, 0), photo(2, 1, { body: 'As três' }), photo(3, 2)]
    expect(albums(album)).toEqual([[1, 2, 3]])
    expect(getAlbumCaption(album)).toBe('As três')
    expect(albums([photo(1, 0, { body: 'Uma' }), photo(2, 1, { body: 'Duas' })])).toEqual([[1], [2]])
  })

  test('the whole has come as far as the one that lags behind', () => {
    expect(getAlbumState([photo(1, 0, { state: 'read' }), photo(2, 1, { state: 'sent' })])).toBe('sent')
  })
})

describe('spec 1 §5: the menu of a message', () => {
  test('forward is for the listed media types, a file only once it is there', () => {
    expect(canForward(photo(1, 0))).toBe(true)
    expect(canForward(photo(1, 0, { mediaUrl: null, media: { ...media, state: 'pending' } }))).toBe(false)
    for (const mediaType of ['comment', 'call_log', 'system', 'unknown'] as const)
      expect(canForward(makeMessage({ mediaType }))).toBe(false)
    expect(canForward(makeMessage({ isDeleted: true }))).toBe(false)
  })

  test('transcribe is for recordings without a text', () => {
    const sound = photo(1, 0, { mediaType: 'audio' })
    expect(canTranscribe(sound)).toBe(true)
    expect(canTranscribe({ ...sound, transcription: 'Oi' })).toBe(false)
    expect(canTranscribe({ ...sound, transcriptionState: 'pending' })).toBe(false)
    expect(canTranscribe({ ...sound, transcriptionState: 'failed' })).toBe(true)
    expect(canTranscribe(photo(1, 0))).toBe(false)
  })
})
