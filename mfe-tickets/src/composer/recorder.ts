// Recording a voice note in the browser: Opus at 128 kbps, in whatever container this browser writes; the server makes Ogg of it.
export interface Recording {
  readonly file: File
  readonly seconds: number
  /** 64 values of 0 to 100, as WhatsApp shows them. */
  readonly waveform: readonly number[]
}

const TYPES = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']
const ENDINGS: Record<string, string> = { 'audio/ogg': 'ogg', 'audio/webm': 'webm', 'audio/mp4': 'm4a' }
const BITS_PER_SECOND = 128_000
const SLICE_MS = 250
const LEVEL_MS = 50
export const WAVE = 64

export class VoiceRecorder {
  /** Loudness of each 50 ms so far, 0 to 1. */
  readonly levels: number[] = []
  private readonly chunks: Blob[] = []
  private readonly media: MediaRecorder
  private readonly context = new AudioContext()
  private readonly timer: ReturnType<typeof setInterval>
  /** Once nothing more comes: it was ended here, or the microphone is gone. */
  private readonly stopped: Promise<void>
  private isEnding = false
  private recorded = 0
  private since: number | null = null

  /** Asks for the microphone and begins. Throws what the browser throws: `NotAllowedError`, `NotFoundError`; `SecurityError` without https. */
  static async start(): Promise<VoiceRecorder> {
    // Not there at all on pages without https, whatever its type says.
    if (!('mediaDevices' in navigator)) throw new DOMException('no microphone without https', 'SecurityError')
    const sound = { channelCount: 1, echoCancellation: true, noiseSuppression: true }
    return new VoiceRecorder(await navigator.mediaDevices.getUserMedia({ audio: sound }))
  }

  private constructor(private readonly stream: MediaStream) {
    const mimeType = TYPES.find(type => MediaRecorder.isTypeSupported(type))
    this.media = new MediaRecorder(stream, { ...(mimeType && { mimeType }), audioBitsPerSecond: BITS_PER_SECOND })
    this.media.addEventListener('dataavailable', ({ data }) => data.size > 0 && this.chunks.push(data))
    this.stopped = new Promise(done => {
      this.media.addEventListener('stop', () => {
        this.rest()
        done()
      })
    })
    const ear = this.context.createAnalyser()
    ear.fftSize = 2048
    this.context.createMediaStreamSource(stream).connect(ear)
    const samples = new Float32Array(ear.fftSize)
    this.timer = setInterval(() => {
      if (this.since === null) return
      ear.getFloatTimeDomainData(samples)
      this.levels.push(Math.min(1, computeLoudness(samples) * 4))
    }, LEVEL_MS)
    this.media.start(SLICE_MS)
    this.since = performance.now()
  }

  get seconds(): number {
    return (this.recorded + (this.since === null ? 0 : performance.now() - this.since)) / 1000
  }

  get paused(): boolean {
    return this.since === null
  }

  /** Whether the microphone is gone, switched off or taken back: what was said so far is all there will be. */
  get isLost(): boolean {
    return this.media.state === 'inactive' && !this.isEnding
  }

  /** Resolves when what was said so far can be heard. */
  async pause(): Promise<void> {
    if (this.since === null) return
    this.rest()
    if (this.media.state === 'inactive') return this.stopped
    this.media.pause()
    const written = new Promise(done => this.media.addEventListener('dataavailable', done, { once: true }))
    this.media.requestData()
    await written
  }

  resume() {
    if (this.since !== null || this.media.state === 'inactive') return
    this.media.resume()
    this.since = performance.now()
  }

  soFar(): Blob {
    return new Blob(this.chunks, { type: this.media.mimeType })
  }

  async finish(): Promise<Recording> {
    const { seconds } = this
    this.end()
    await this.stopped
    this.release()
    const type = this.media.mimeType.split(';')[0] ?? ''
    const file = new File(this.chunks, `audio.${ENDINGS[type] ?? 'webm'}`, { type })
    return { file, seconds: Math.max(1, Math.round(seconds)), waveform: toWaveform(this.levels) }
  }

  cancel() {
    this.end()
    this.release()
  }

  private end() {
    // One that is gone by then was lost before it was ended.
    this.isEnding ||= this.media.state !== 'inactive'
    this.rest()
    if (this.media.state !== 'inactive') this.media.stop()
  }

  /** The time stands still. */
  private rest() {
    this.recorded += this.since === null ? 0 : performance.now() - this.since
    this.since = null
  }

  private release() {
    clearInterval(this.timer)
    for (const track of this.stream.getTracks()) track.stop()
    if (this.context.state !== 'closed') void this.context.close()
  }
}

function computeLoudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / samples.length)
}

/** Loudness over time as 64 values, the loudest 100. */
export function toWaveform(levels: readonly number[]): number[] {
  const loudest = Math.max(0.01, ...levels)
  return Array.from({ length: WAVE }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / WAVE)
    const part = levels.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / WAVE)))
    return Math.round((Math.max(0, ...part) / loudest) * 100)
  })
}
