// A voice note: play, the shape of the sound, how long it is.
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BubbleFile } from '../model.ts'
import { formatDuration } from './format.ts'
import { loadSound, type Sound } from './sound.ts'
import { Waveform } from './Waveform.tsx'

export function Player({ file, onPlayed }: { file: BubbleFile; onPlayed: () => void }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [sound, setSound] = useState<Sound>()
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  useEffect(() => {
    let wanted = true
    loadSound(file.url).then(
      found => wanted && setSound(found),
      () => {}, // it plays all the same, without its waves
    )
    return () => {
      wanted = false
    }
  }, [file.url])

  const seconds = sound?.seconds ?? file.seconds ?? 0
  function toggle(): void {
    const player = audio.current
    if (!player) return
    if (player.paused) void player.play().catch(() => setPlaying(false))
    else player.pause()
  }

  return (
    <span className="player">
      <button
        type="button"
        aria-label={playing ? 'Pausar áudio' : 'Ouvir áudio'}
        onClick={event => {
          event.stopPropagation()
          toggle()
        }}
      >
        {playing ? <Pause size={20} strokeWidth={1.7} /> : <Play size={20} strokeWidth={1.7} />}
      </button>
      <Waveform peaks={sound?.peaks ?? []} played={seconds > 0 ? at / seconds : 0} />
      <span className="player-time">{formatDuration(at > 0 ? at : seconds)}</span>
      {/* biome-ignore lint/a11y/useMediaCaption: what people send each other has no captions */}
      <audio
        ref={audio}
        src={file.url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={event => setAt(event.currentTarget.currentTime)}
        onEnded={() => {
          setAt(0)
          onPlayed()
        }}
      />
    </span>
  )
}
