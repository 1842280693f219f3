import { afterEach, beforeEach, expect, test } from 'bun:test'
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
const OFFLINE = ['OFFLINE', 'Sem internet. Tente de novo quando voltar.']

test('a file that can no longer be read is told apart from a line that broke', async () => {
  expect(await send(readable)).toEqual(OFFLINE)
  expect(await send(changed)).toEqual(FILE_CHANGED)
})

test('and so is one among the files of a form', async () => {
  expect(await send(toForm(readable))).toEqual(OFFLINE)
  expect(await send(toForm(readable, changed))).toEqual(FILE_CHANGED)
})
