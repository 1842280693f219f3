// Voice notes as phones make them: Ogg with Opus, from the microphone or from a small invented voice.
import { muxOpus } from './ogg.ts'

const RATE = 48_000
const BITRATE = 20_000
const RECENT_SECONDS = 4
const LONGEST_INVENTED = 30

export interface VoiceRecording {
  seconds(): number
  /** The last few seconds, for drawing. */
  recent(): Float32Array
  finish(): Promise<{ file: Blob; seconds: number }>
  cancel(): void
}

/** Starts with the microphone; without one, or when it is refused, with the invented voice. */
export async function startRecording(): Promise<VoiceRecording> {
  try {
    return recordMicrophone(await navigator.mediaDevices.getUserMedia({ audio: true }))
  } catch {
    return recordSyntheticVoice()
  }
}

function recordMicrophone(stream: MediaStream): VoiceRecording {
  const context = new AudioContext({ sampleRate: RATE })
  const source = context.createMediaStreamSource(stream)
  const tap = context.createScriptProcessor(4096, 1, 1)
  const chunks: Float32Array[] = []
  tap.onaudioprocess = event => chunks.push(event.inputBuffer.getChannelData(0).slice())
  source.connect(tap)
  tap.connect(context.destination)

  function stop(): void {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  return {
    seconds: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0) / RATE,
    recent: () => concatSamples(chunks.slice(-Math.ceil((RECENT_SECONDS * RATE) / 4096))),
    async finish() {
      stop()
      return encodeVoice(concatSamples(chunks))
    },
    cancel: stop,
  }
}

/** Grows with the clock, so that it looks and lasts like somebody talking. */
function recordSyntheticVoice(): VoiceRecording {
  const started = performance.now()
  const samples = synthesizeVoice(LONGEST_INVENTED)
  const length = () => Math.min(samples.length, Math.floor(((performance.now() - started) / 1000) * RATE))
  return {
    seconds: () => length() / RATE,
    recent: () => samples.subarray(Math.max(0, length() - RECENT_SECONDS * RATE), length()),
    finish: () => encodeVoice(samples.subarray(0, Math.max(length(), RATE))),
    cancel: () => {},
  }
}

/** Vowels of a hummed voice, in syllables with small pauses; always the same. */
export function synthesizeVoice(seconds: number): Float32Array {
  const samples = new Float32Array(seconds * RATE)
  let phase = 0
  let wander = 7
  for (let at = 0; at < samples.length; at++) {
    const time = at / RATE
    const syllable = Math.floor(time / 0.19)
    wander = (syllable * 2654435761) % 97
    const silent = syllable % 9 === 8 || wander % 11 === 0
    const inside = (time % 0.19) / 0.19
    const loud = silent ? 0 : Math.sin(Math.PI * inside) ** 0.7 * (0.45 + (wander % 7) / 14)
    phase += (118 + (wander % 5) * 9 + Math.sin(time * 2.1) * 12) / RATE
    const turn = phase * 2 * Math.PI
    const vowel = 0.6 + (wander % 3) * 0.35
    samples[at] =
      loud * 0.5 * (Math.sin(turn) + vowel * 0.6 * Math.sin(turn * 4) + 0.35 * Math.sin(turn * (7 + (wander % 3))))
  }
  return samples
}

async function encodeVoice(samples: Float32Array): Promise<{ file: Blob; seconds: number }> {
  const packets: Uint8Array[] = []
  const encoder = new AudioEncoder({
    output: chunk => {
      const packet = new Uint8Array(chunk.byteLength)
      chunk.copyTo(packet)
      packets.push(packet)
    },
    error: error => console.warn('opus', error.message),
  })
  encoder.configure({ codec: 'opus', sampleRate: RATE, numberOfChannels: 1, bitrate: BITRATE })
  for (let from = 0; from < samples.length; from += RATE) {
    const part = samples.slice(from, from + RATE)
    encoder.encode(
      new AudioData({
        format: 'f32',
        sampleRate: RATE,
        numberOfFrames: part.length,
        numberOfChannels: 1,
        timestamp: Math.round((from / RATE) * 1_000_000),
        data: part,
      }),
    )
  }
  await encoder.flush()
  encoder.close()
  const file = new Blob([muxOpus(packets)], { type: 'audio/ogg; codecs=opus' })
  return { file, seconds: samples.length / RATE }
}

function concatSamples(chunks: Float32Array[]): Float32Array {
  const all = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
