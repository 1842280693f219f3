// Recording: what is heard as moving bars, pause, listen, throw away, send. Stands in the composer's place.

import { formatDuration } from '@balcao/contract/messages/message-bodies'
import { areLettersPaused } from '@balcao/ui/actions'
import { describeError, getTexts, useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton, toast } from '@balcao/ui/parts'
import { getSessionSignal } from '@balcao/ui/session'
import { Mic, Pause, Play, SendHorizontal, Square, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './late.ts'
import { type Recording, toWaveform, VoiceRecorder } from './recorder.ts'

const TICK_MS = 100
const LIVE_BARS = 64
const TYPING_EVERY_MS = 4000

interface RecorderProps {
  readonly onTyping: (state: 'recording' | 'paused') => void
  /** Whether it may go out now; asks the person first where somebody else is answering too. */
  readonly mayGo: () => boolean
  readonly onSend: (recording: Recording) => void
  readonly onClose: () => void
}

export default function Recorder({ onTyping, mayGo, onSend, onClose }: RecorderProps) {
  const t = useTexts('tickets')
  const { recorder, trouble, seconds, paused, setPaused, isLost } = useRecorder(onTyping)
  const [sending, setSending] = useState(false)
  const [heard, setHeard] = useState<string | null>(null)
  const [playedTo, setPlayedTo] = useState(0)
  const main = useRef<HTMLButtonElement>(null)
  const listening = useRef<HTMLButtonElement>(null)
  const audio = useRef<HTMLAudioElement>(null)
  const ready = recorder !== null
  useEffect(() => {
    // The microphone may be granted while a dialog is open.
    if (ready && !areLettersPaused()) main.current?.focus()
  }, [ready])
  // Before the button that rests now loses the focus.
  useLayoutEffect(() => {
    if (isLost && document.activeElement === main.current) listening.current?.focus()
  }, [isLost])
  useEffect(() => () => void (heard && URL.revokeObjectURL(heard)), [heard])

  async function pause() {
    if (!recorder || recorder.paused) return
    setPaused(true)
    await recorder.pause()
  }

  function resume() {
    setHeard(null)
    setPlayedTo(0)
    recorder?.resume()
    setPaused(false)
  }

  async function listen() {
    if (heard) return setHeard(null)
    await pause()
    if (recorder) setHeard(URL.createObjectURL(recorder.soFar()))
  }

  async function send() {
    if (!recorder || sending || !mayGo()) return
    setSending(true)
    const here = getSessionSignal()
    const recording = await recorder.finish()
    if (here.aborted) return
    onSend(recording)
    onClose()
  }

  function key(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault()
      if (recorder && !recorder.paused) void pause()
      else onClose()
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) void send()
  }

  if (trouble !== null)
    return (
      <div className="k-box k-recorder" role="alert">
        <Icon of={Mic} size={16} />
        <p className="k-recorder-trouble">{describeRecorderError(trouble, t)}</p>
        <button type="button" className="k-opening" onClick={onClose}>
          {t('record.back')}
        </button>
      </div>
    )
  const bars = paused && recorder ? toWaveform(recorder.levels) : null
  return (
    <fieldset className="k-box k-recorder" aria-label={t('record.title')} onKeyDown={key}>
      <IconButton icon={Trash2} label={t('record.discard')} tooltipSide="above" onClick={onClose} />
      <span className={paused ? 'k-record-dot is-still' : 'k-record-dot'} aria-hidden="true" />
      <span className="k-record-time" role="timer">
        {formatDuration(heard ? playedTo : seconds)}
      </span>
      <span className="k-record-wave" aria-hidden="true">
        {(bars ?? getRecentBars(recorder)).map((height, bar) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
            key={bar}
            className={bars && heard && bar / bars.length <= playedTo / Math.max(1, seconds) ? 'is-past' : undefined}
            style={{ height: `${Math.max(8, height)}%` }}
          />
        ))}
      </span>
      <IconButton
        ref={listening}
        icon={heard ? Square : Play}
        label={t(heard ? 'record.stopListening' : 'record.listen')}
        tooltipSide="above"
        disabled={!ready || seconds < 1}
        onClick={() => void listen()}
      />
      <IconButton
        ref={main}
        icon={paused ? Mic : Pause}
        label={t(paused ? 'record.resume' : 'record.pause')}
        tooltipSide="above"
        disabled={!ready || isLost}
        onClick={() => (paused ? resume() : void pause())}
      />
      <button
        type="button"
        className="k-send"
        aria-label={t('record.send')}
        disabled={!ready || sending}
        onClick={() => void send()}
      >
        <SendHorizontal size={20} strokeWidth={1.6} aria-hidden="true" />
      </button>
      {heard && (
        // biome-ignore lint/a11y/useMediaCaption: the person's own voice, before it is sent
        <audio
          ref={audio}
          src={heard}
          autoPlay
          onTimeUpdate={event => setPlayedTo(event.currentTarget.currentTime)}
          onEnded={() => setHeard(null)}
        />
      )}
      <span className="b-only-read" aria-live="polite">
        {t(paused ? 'record.paused' : ready ? 'record.on' : 'record.asking')}
      </span>
    </fieldset>
  )
}

/** The microphone while this is on the screen. */
function useRecorder(onTyping: RecorderProps['onTyping']) {
  const [recorder, setRecorder] = useState<VoiceRecorder | null>(null)
  const [trouble, setTrouble] = useState<unknown>(null)
  const [seconds, setSeconds] = useState(0)
  const [paused, setPaused] = useState(false)
  const [isLost, setLost] = useState(false)
  const tell = useRef(onTyping)
  tell.current = onTyping
  useEffect(() => {
    let gone = false
    let own: VoiceRecorder | undefined
    let reportedAt = 0
    let isTold = false
    VoiceRecorder.start()
      .then(started => {
        if (gone) return started.cancel()
        own = started
        setRecorder(started)
      })
      .catch((error: unknown) => {
        if (!gone) setTrouble(error)
      })
    const timer = setInterval(() => {
      if (!own) return
      setSeconds(own.seconds)
      if (own.isLost && !isTold) {
        isTold = true
        setLost(true)
        setPaused(true)
        toast.warning(getTexts('tickets')('record.lost'))
      }
      if (own.paused || performance.now() - reportedAt < TYPING_EVERY_MS) return
      reportedAt = performance.now()
      tell.current('recording')
    }, TICK_MS)
    return () => {
      gone = true
      clearInterval(timer)
      own?.cancel()
      if (reportedAt > 0) tell.current('paused')
    }
  }, [])
  return { recorder, trouble, seconds, paused, setPaused, isLost }
}

function getRecentBars(recorder: VoiceRecorder | null): number[] {
  const recent = recorder?.levels.slice(-LIVE_BARS) ?? []
  return [...Array<number>(LIVE_BARS - recent.length).fill(0), ...recent.map(level => Math.round(level * 100))]
}

function describeRecorderError(error: unknown, t: (key: string) => string): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError') return t('record.refused')
  if (name === 'SecurityError') return t('record.insecure')
  return name === 'NotFoundError' ? t('record.noMicrophone') : describeError(error)
}
