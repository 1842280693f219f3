// A dump goes out in parts: a broken line is waited for, and nothing is sent twice.
import { expect, test } from 'bun:test'
import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_PART } from '@balcao/contract/move-in/move-in'
import { ApiError } from '@balcao/ui/api'
import { sendDump } from '../src/move-in/send-dump.ts'

const SIZE = 2 * MOVE_IN_PART + 10
const file = new File([new Uint8Array(SIZE)], 'dump.sql')
const offline = () => new ApiError('OFFLINE', 0, 'offline')

function makeMove(received: number): MoveIn {
  return {
    ...{ id: 7, source: 'ticketz', state: 'uploading', userId: 1, preview: null, counts: {}, done: 0, total: 0 },
    ...{ error: null, createdAt: '2026-11-01T10:00:00.000Z', endedAt: null },
    dump: { name: 'dump.sql', size: SIZE, received },
  }
}

/** Sends it to a server that gives these answers, one after the other. */
async function send(answers: (number | Error)[], received = 0, signal = new AbortController().signal) {
  const sent: number[][] = []
  const pauses: number[] = []
  await sendDump(file, makeMove(received), {
    signal,
    onProgress: () => undefined,
    pause: async ms => void pauses.push(ms),
    async sendPart(_id, at, part) {
      sent.push([at, part.size])
      const answer = answers.shift()
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error('No answer is left')
      return answer
    },
  })
  return { sent, pauses }
}

test('part after part, behind what is there already', async () => {
  const { sent } = await send([2 * MOVE_IN_PART, SIZE], MOVE_IN_PART)
  expect(sent).toEqual([
    [MOVE_IN_PART, MOVE_IN_PART],
    [2 * MOVE_IN_PART, 10],
  ])
})

test('a line that breaks is waited for, and the server says where it goes on', async () => {
  const { sent, pauses } = await send([offline(), offline(), 500, MOVE_IN_PART, SIZE])
  expect(sent.map(([at]) => at)).toEqual([0, 0, 0, 500, MOVE_IN_PART])
  expect(pauses).toEqual([2000, 4000])
})

test('what the server refuses, and a line that stays away, end it', async () => {
  await expect(send([new ApiError('ERR_NO_SPACE', 507, 'full')])).rejects.toThrow()
  await expect(send(Array.from({ length: 20 }, offline))).rejects.toThrow()
  await expect(send(Array.from({ length: 20 }, () => 0))).rejects.toThrow('further')
  await expect(send(Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? MOVE_IN_PART : 0)))).rejects.toThrow('further')
})
