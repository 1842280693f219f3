import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { RemoteArea } from '@balcao/ui/parts'
import { endSession } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import texts from '../locales/composer/pt.json'
import pt from '../locales/conversation/pt.json'
import Recorder from '../src/composer/Recorder.tsx'
import { type Recording, VoiceRecorder } from '../src/composer/recorder.ts'

addTexts('tickets', { pt: { ...pt, ...texts }, en: pt, es: pt })

/** The browser's recorder, as far as its specification says what becomes of it. */
class Recorded extends EventTarget {
  static isTypeSupported = () => true
  readonly mimeType = 'audio/webm;codecs=opus'
  state: RecordingState = 'inactive'

  constructor() {
    super()
    microphone = this
  }

  start() {
    this.state = 'recording'
  }

  pause() {
    this.go('paused')
  }

  resume() {
    this.go('recording')
  }

  stop() {
    if (this.state !== 'inactive') this.end()
  }

  requestData() {
    if (this.state === 'inactive') throw new DOMException('inactive', 'InvalidStateError')
    setImmediate(() => this.write())
  }

  /** All its tracks have ended. */
  end() {
    this.state = 'inactive'
    setImmediate(() => {
      this.write()
      this.dispatchEvent(new Event('stop'))
    })
  }

  private go(state: RecordingState) {
    if (this.state === 'inactive') throw new DOMException('inactive', 'InvalidStateError')
    this.state = state
  }

  private write() {
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['som']) }))
  }
}

class Context {
  readonly state = 'running'
  createAnalyser = () => ({ fftSize: 0, getFloatTimeDomainData: () => undefined })
  createMediaStreamSource = () => ({ connect: () => undefined })
  close = () => Promise.resolve()
}

let microphone: Recorded
let root: Root | undefined
const before = { MediaRecorder: globalThis.MediaRecorder, AudioContext: globalThis.AudioContext }

beforeEach(() => {
  notices.list = []
  endSession()
  Object.assign(globalThis, { MediaRecorder: Recorded, AudioContext: Context })
  const mediaDevices = { getUserMedia: () => Promise.resolve({ getTracks: () => [] }) }
  Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true })
})

afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  document.body.replaceChildren()
  Object.assign(globalThis, before)
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

const settle = () => new Promise(resolve => setTimeout(resolve))
const withinReason = <T,>(done: Promise<T>) => Promise.race([done, Bun.sleep(2000).then(() => 'never')])

describe('a microphone that goes while one records', () => {
  test('leaves what was said so far, to be sent', async () => {
    const recorder = await VoiceRecorder.start()
    microphone.end()
    await settle()
    expect(recorder.paused).toBe(true)
    const recording = await withinReason(recorder.finish())
    expect(recording).toMatchObject({ file: expect.any(File), seconds: 1 })
  })

  test('is neither paused nor gone on with', async () => {
    const recorder = await VoiceRecorder.start()
    microphone.end()
    await recorder.pause()
    await settle()
    recorder.resume()
    expect(recorder.paused).toBe(true)
  })

  test('is told of, and the note goes out', async () => {
    const sent: Recording[] = []
    const place = document.body.appendChild(document.createElement('div'))
    const button = (name: string) => place.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`)
    root = createRoot(place)
    act(() =>
      root?.render(
        <RemoteArea name="mfe_tickets">
          <Recorder onTyping={() => {}} mayGo={() => true} onSend={one => sent.push(one)} onClose={() => {}} />
        </RemoteArea>,
      ),
    )
    await waitUntil(() => button(texts.record.pause)?.disabled === false, 'it records')
    microphone.end()
    await waitUntil(() => button(texts.record.resume)?.disabled === true, 'it has stopped')
    expect(notices.list.map(({ text }) => text)).toEqual([texts.record.lost])
    // Texts that come later are no news of it.
    notices.list = []
    await act(async () => addTexts('tickets', { pt: { later: 'x' }, en: {}, es: {} }))
    expect(notices.list).toEqual([])
    act(() => button(texts.record.send)?.click())
    await waitUntil(() => sent.length > 0, 'it is sent')
  })
})
