import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { ApiError, upload } from '@balcao/ui/api'
import { describeError } from '@balcao/ui/i18n'

/** The browser's own sender, on a line that breaks: it tells no more than that there was no answer. */
class BrokenRequest extends XMLHttpRequest {
  override open() {}
  override setRequestHeader() {}
  override send() {
    setTimeout(() => this.onerror?.(new ProgressEvent('error')))
  }
}

/** A line that takes everything and says nothing. */
class SilentRequest extends BrokenRequest {
  override send() {
    sent.push(this)
  }
  override abort() {
    this.onabort?.(new ProgressEvent('abort'))
  }
}
const sent: XMLHttpRequest[] = []

/** A file that was changed on the disk after it was chosen: no browser reads it any more. */
class ChangedFile extends File {
  override slice() {
    return Object.assign(new Blob(), {
      arrayBuffer: () => Promise.reject(new DOMException('changed', 'NotReadableError')),
    })
  }
}

const whole = XMLHttpRequest
beforeEach(() => {
  globalThis.XMLHttpRequest = BrokenRequest
})
afterEach(() => {
  globalThis.XMLHttpRequest = whole
})

const readable = new File(['x'], 'foto.png')
const changed = new ChangedFile(['x'], 'orcamento.xlsx')

async function send(body: File | FormData) {
  const error: unknown = await upload('PUT /uploads', { body, query: { name: 'a' } }).catch(error => error)
  return [error instanceof ApiError && error.code, describeError(error)]
}

function toForm(...files: readonly File[]) {
  const form = new FormData()
  form.append('name', 'Ana')
  // As the page's own form holds them; the one of the tests copies what is put into it.
  return Object.assign(form, { values: () => ['Ana', ...files].values() })
}

const FILE_CHANGED = ['FILE_CHANGED', 'O arquivo mudou ou não está mais no lugar: anexe de novo.']
const OFFLINE = ['OFFLINE', 'O servidor não respondeu. Confira a internet e tente de novo.']

test('a file that can no longer be read is told apart from a line that broke', async () => {
  expect(await send(readable)).toEqual(OFFLINE)
  expect(await send(changed)).toEqual(FILE_CHANGED)
})

test('and so is one among the files of a form', async () => {
  expect(await send(toForm(readable))).toEqual(OFFLINE)
  expect(await send(toForm(readable, changed))).toEqual(FILE_CHANGED)
})

test('bytes that move keep an upload alive, an answer that does not come ends it', async () => {
  jest.useFakeTimers()
  try {
    globalThis.XMLHttpRequest = SilentRequest
    let isOver = false
    const answer = send(readable).finally(() => {
      isOver = true
    })
    for (let minute = 0; minute < 3; minute++) {
      jest.advanceTimersByTime(59_000)
      sent.at(-1)?.upload.dispatchEvent(new ProgressEvent('progress'))
    }
    await Promise.resolve()
    expect(isOver).toBe(false)
    jest.advanceTimersByTime(61_000)
    expect(await answer).toEqual(OFFLINE)
  } finally {
    jest.useRealTimers()
  }
})
