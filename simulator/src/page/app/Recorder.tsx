// Recording a voice note: from the microphone when there is one and it may be used, otherwise a ready-made voice.
import { SendHorizontal, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { act } from './client.ts'
import { formatDuration } from './format.ts'
import { computePeaks } from './sound.ts'
import { startRecording, type VoiceRecording } from './voice.ts'
import { Waveform } from './Waveform.tsx'

const TICK_MS = 150

export function Recorder({ phone, onDone }: { phone: string; onDone: () => void }) {
  const [recording, setRecording] = useState<VoiceRecording>()
  const [seconds, setSeconds] = useState(0)
  const [peaks, setPeaks] = useState<number[]>([])
  const sending = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (recording) button.current?.focus()
  }, [recording])

  useEffect(() => {
    let current: VoiceRecording | undefined
    let gone = false
    void act.typing(phone, 'recording')
    // Without a microphone it is an invented voice.
    void startRecording().then(started => {
      if (gone) return started.cancel()
      current = started
      setRecording(started)
    })
    const timer = setInterval(() => {
      if (!current) return
      setSeconds(current.seconds())
      setPeaks(computePeaks(current.recent()))
    }, TICK_MS)
    return () => {
      gone = true
      clearInterval(timer)
      if (!sending.current) current?.cancel()
      void act.typing(phone, 'paused')
    }
  }, [phone])

  async function send(): Promise<void> {
    if (!recording || sending.current) return
    sending.current = true
    const { file, seconds: length } = await recording.finish()
    await act.sendFile(phone, file, 'audio.ogg', { kind: 'voice', seconds: Math.max(1, Math.round(length)) })
    onDone()
  }

  return (
    <div className="composer-area">
      <div className="composer">
        <div className="field recording">
          <button type="button" aria-label="Jogar fora" onClick={onDone}>
            <Trash2 size={17} strokeWidth={1.6} />
          </button>
          <i className="record-dot" />
          <span className="record-time">{formatDuration(seconds)}</span>
          <Waveform peaks={peaks} played={1} />
        </div>
        <button
          ref={button}
          type="button"
          className="round"
          aria-label="Enviar áudio"
          disabled={!recording}
          onClick={() => void send()}
        >
          <SendHorizontal size={19} strokeWidth={1.7} />
        </button>
      </div>
    </div>
  )
}
