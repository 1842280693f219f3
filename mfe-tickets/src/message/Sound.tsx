// Audio and voice notes: play, waveform to seek in, length, speed, transcription under a line. Only one plays at a time.
import type { Message } from '@balcao/contract'
import { formatDuration } from '@balcao/contract/messages/message-bodies'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { keepPerSession } from '@balcao/ui/session'
import { Pause, Play, Sparkles } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { toWaveBars } from './media-box.ts'

const SPEEDS = [1, 1.5, 2] as const
const BARS = 42
/** What plays now; and who listens faster once listens faster to the next one too. */
const ear = keepPerSession<{ playing: HTMLAudioElement | null; speed: number }>(() => ({ playing: null, speed: 0 }))

export function Sound({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const audio = useRef<HTMLAudioElement>(null)
  const [on, setOn] = useState(false)
  const [at, setAt] = useState(0)
  const [measured, setMeasured] = useState<number | null>(null)
  const [speed, setSpeed] = useState(ear().speed)
  const known = measured ?? message.media?.seconds ?? 0
  const total = known || 1
  const bars = toWaveBars(message.media?.waveform, BARS)

  useEffect(() => {
    const element = audio.current
    return () => {
      element?.pause()
      if (ear().playing === element) ear().playing = null
    }
  }, [])

  function toggle() {
    const element = audio.current
    if (!element) return
    if (!element.paused) return element.pause()
    if (ear().playing !== element) ear().playing?.pause()
    ear().playing = element
    element.playbackRate = SPEEDS[speed] ?? 1
    void element.play().catch(() => setOn(false))
  }

  function seek(part: number) {
    const element = audio.current
    if (!element) return
    element.currentTime = Math.min(1, Math.max(0, part)) * total
    setAt(element.currentTime)
  }

  function press(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    seek((event.clientX - box.left) / box.width)
  }

  function key(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 5 : event.key === 'ArrowLeft' ? -5 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    seek((at + step) / total)
  }

  function faster() {
    const next = (speed + 1) % SPEEDS.length
    setSpeed(next)
    ear().speed = next
    if (audio.current) audio.current.playbackRate = SPEEDS[next] ?? 1
  }

  return (
    <div className="m-sound">
      {/* biome-ignore lint/a11y/useMediaCaption: the transcription stands below where there is one */}
      <audio
        ref={audio}
        src={message.mediaUrl ?? undefined}
        preload="none"
        onPlay={() => setOn(true)}
        onPause={() => setOn(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={event => setAt(event.currentTarget.currentTime)}
        onLoadedMetadata={event => {
          if (Number.isFinite(event.currentTarget.duration)) setMeasured(event.currentTarget.duration)
        }}
      />
      <button type="button" className="m-sound-play" aria-label={t(on ? 'sound.pause' : 'sound.play')} onClick={toggle}>
        <Icon of={on ? Pause : Play} size={16} />
      </button>
      <div
        className="m-wave"
        role="slider"
        tabIndex={0}
        aria-label={t('sound.position')}
        aria-valuemin={0}
        aria-valuemax={Math.round(total)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={formatDuration(at)}
        onPointerDown={press}
        onKeyDown={key}
      >
        {bars.map((height, bar) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
            key={bar}
            className={at > 0 && bar / BARS <= at / total ? 'is-past' : undefined}
            style={{ height: `${height}%` }}
          />
        ))}
      </div>
      <span className="m-sound-length">{formatDuration(on || at > 0 ? at : known)}</span>
      <button
        type="button"
        className="m-speed"
        aria-label={t('sound.speed', { speed: SPEEDS[speed] })}
        onClick={faster}
      >
        {SPEEDS[speed]}×
      </button>
      <Transcription message={message} />
    </div>
  )
}

/** What is said in it, once somebody asked: on its way, there, or not to be had. */
function Transcription({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const { transcription, transcriptionState } = message
  const text = transcription === null ? null : transcription === '' ? t('msg.nothingSaid') : `“${transcription}”`
  const state = transcriptionState === 'pending' ? t('msg.transcriptionPending') : t('msg.transcriptionFailed')
  if (text === null && transcriptionState === null) return null
  return (
    <p className={transcriptionState === 'failed' ? 'm-transcription is-failed' : 'm-transcription'} role="status">
      <Icon of={Sparkles} size={14} /> {text ?? state}
    </p>
  )
}
