// The four sounds, made on the spot from a few tones; nothing is fetched.

interface Tone {
  readonly wave: OscillatorType
  readonly from: number
  /** Where the pitch glides to; stays unless given. */
  readonly to?: number
  /** Seconds. */
  readonly at: number
  readonly lasts: number
  readonly volume: number
}

/** A desk bell · three steps up and one on top · two bubbles · a soft question and its answer. */
const SOUNDS: Readonly<Record<string, readonly Tone[]>> = {
  default: [
    { wave: 'sine', from: 1318.5, at: 0, lasts: 0.9, volume: 0.24 },
    { wave: 'sine', from: 2637, at: 0, lasts: 0.5, volume: 0.1 },
    { wave: 'sine', from: 3955, at: 0, lasts: 0.25, volume: 0.04 },
  ],
  experience: [
    { wave: 'triangle', from: 440, at: 0, lasts: 0.28, volume: 0.2 },
    { wave: 'triangle', from: 554.4, at: 0.11, lasts: 0.28, volume: 0.2 },
    { wave: 'triangle', from: 659.3, at: 0.22, lasts: 0.28, volume: 0.2 },
    { wave: 'triangle', from: 1108.7, at: 0.36, lasts: 0.7, volume: 0.16 },
  ],
  blub: [
    { wave: 'sine', from: 260, to: 760, at: 0, lasts: 0.13, volume: 0.34 },
    { wave: 'sine', from: 340, to: 980, at: 0.15, lasts: 0.11, volume: 0.26 },
  ],
  skype: [
    { wave: 'sine', from: 587.3, to: 622.3, at: 0, lasts: 0.26, volume: 0.24 },
    { wave: 'sine', from: 880, to: 831, at: 0.19, lasts: 0.34, volume: 0.24 },
    { wave: 'triangle', from: 1760, at: 0.19, lasts: 0.2, volume: 0.04 },
  ],
}

let context: AudioContext | undefined

/** Plays a sound by its name in the setting `sound`; any other name plays `default` (spec 1 §4). Does nothing where the browser allows none yet. */
export async function play(name: string): Promise<void> {
  if (typeof AudioContext === 'undefined' || !canPlay()) return
  context ??= new AudioContext()
  if (context.state === 'suspended') await context.resume()
  for (const tone of getTones(name)) playTone(context, tone)
}

/** Browsers are silent until the person has touched the page. */
export function canPlay(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true
}

export function getTones(name: string): readonly Tone[] {
  return (Object.hasOwn(SOUNDS, name) ? SOUNDS[name] : SOUNDS.default) ?? []
}

function playTone(audio: AudioContext, { wave, from, to, at, lasts, volume }: Tone) {
  const start = audio.currentTime + at
  const tone = audio.createOscillator()
  const loudness = audio.createGain()
  tone.type = wave
  tone.frequency.setValueAtTime(from, start)
  if (to !== undefined) tone.frequency.exponentialRampToValueAtTime(to, start + lasts)
  loudness.gain.setValueAtTime(0.0001, start)
  loudness.gain.exponentialRampToValueAtTime(volume, start + 0.012)
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + lasts)
  tone.connect(loudness).connect(audio.destination)
  tone.start(start)
  tone.stop(start + lasts + 0.02)
}
