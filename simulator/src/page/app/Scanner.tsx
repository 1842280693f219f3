// The camera of a company phone: reads a waiting code, a pasted one, a picture of one, or takes eight characters.
import { type ClipboardEvent, type DragEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import type { PhoneView, Scan } from '../model.ts'
import { act } from './client.ts'
import { QrCode } from './QrCode.tsx'
import { findPicture, readQr } from './read-qr.ts'

const AIMING_MS = 1100
type ScanMethod = 'camera' | 'paste' | 'code'

export function Scanner({ phone, scans }: { phone: PhoneView; scans: Scan[] }) {
  const [way, setWay] = useState<ScanMethod>('camera')
  const [wanted, setWanted] = useState<string>()
  const [pasted, setPasted] = useState<string>()
  const [reading, setReading] = useState(false)
  const [note, setNote] = useState<string>()
  const scan = scans.find(one => one.connection === wanted) ?? scans[0]
  const qr = pasted ?? scan?.qr

  async function read(text: string): Promise<void> {
    setReading(true)
    setNote(undefined)
    await new Promise(resolve => setTimeout(resolve, AIMING_MS))
    await act.scan(phone.id, text)
    setReading(false)
    setPasted(undefined)
    setWay('camera')
  }

  async function take(transfer: DataTransfer): Promise<void> {
    const picture = findPicture(transfer)
    const text = picture ? await readQr(picture) : transfer.getData('text').trim()
    if (!text) return setNote('Não há um código nessa imagem.')
    setPasted(text)
    await read(text)
  }

  function onPaste(event: ClipboardEvent): void {
    if (event.target instanceof HTMLInputElement && event.clipboardData.files.length === 0) return
    event.preventDefault()
    void take(event.clipboardData)
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault()
    void take(event.dataTransfer)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pasting and dropping are shortcuts of the field below
    <div className="scanner" onPaste={onPaste} onDrop={onDrop} onDragOver={event => event.preventDefault()}>
      <div className={`camera ${reading ? 'reading' : ''} ${qr ? '' : 'empty'}`}>
        <div className="sight">
          {qr ? <QrCode text={qr} /> : <p>Nenhum código à vista</p>}
          <i className="corner a" />
          <i className="corner b" />
          <i className="corner c" />
          <i className="corner d" />
          {reading && <i className="beam" />}
        </div>
      </div>
      <div className="scan-words" aria-live="polite">
        <Words scan={pasted ? undefined : scan} reading={reading} note={note} />
        {way === 'camera' && (
          <div className="scan-buttons">
            {scan && (
              <button type="button" className="button primary" disabled={reading} onClick={() => void read(scan.qr)}>
                Ler o código
              </button>
            )}
            <button type="button" className="button" onClick={() => setWay('paste')}>
              Colar
            </button>
            <button type="button" className="button" onClick={() => setWay('code')}>
              8 caracteres
            </button>
          </div>
        )}
        {way === 'camera' && scans.length > 1 && <Choice scans={scans} chosen={scan} onChoose={setWanted} />}
        {way === 'paste' && (
          <Entry
            label="Texto ou imagem do código"
            action="Ler"
            onEnter={read}
            onCancel={() => setWay('camera')}
            onPicture={readQr}
          />
        )}
        {way === 'code' && (
          <Entry
            label="Código de 8 caracteres"
            action="Conectar"
            onEnter={async code => {
              if (await act.pair(phone.id, code)) setWay('camera')
            }}
            onCancel={() => setWay('camera')}
          />
        )}
      </div>
    </div>
  )
}

function Words({ scan, reading, note }: { scan: Scan | undefined; reading: boolean; note: string | undefined }) {
  if (note) return <p className="scan-note">{note}</p>
  if (reading)
    return (
      <p>
        <b>Lendo o código{scan ? ` de “${scan.connection}”` : ''}…</b>
        Segure firme.
      </p>
    )
  if (scan)
    return (
      <p>
        <b>O código de “{scan.connection}” está à vista</b>
        Ele aparece em Conexões. Aqui o telefone lê sozinho.
      </p>
    )
  return (
    <p>
      <b>Nenhuma conexão esperando</b>
      Em Conexões, no Balcão, peça um código QR: ele aparece aqui.
    </p>
  )
}

function Choice({
  scans,
  chosen,
  onChoose,
}: {
  scans: Scan[]
  chosen: Scan | undefined
  onChoose: (name: string) => void
}) {
  return (
    <div className="scan-buttons">
      {scans.map(scan => (
        <button
          key={scan.connection}
          type="button"
          className="chip"
          aria-pressed={scan === chosen}
          onClick={() => onChoose(scan.connection)}
        >
          {scan.connection}
        </button>
      ))}
    </div>
  )
}

interface EntryProps {
  label: string
  action: string
  onEnter: (text: string) => Promise<void>
  onCancel: () => void
  onPicture?: (picture: Blob) => Promise<string | undefined>
}

function Entry({ label, action, onEnter, onCancel, onPicture }: EntryProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (text.trim()) await onEnter(text.trim())
  }
  async function readPicture(picture: Blob | undefined): Promise<void> {
    const found = picture && (await onPicture?.(picture))
    if (found) await onEnter(found)
    else setText('')
  }
  return (
    <form className="scan-entry" onSubmit={event => void submit(event)}>
      <input
        ref={field}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className="scan-buttons">
        <button type="submit" className="button primary">
          {action}
        </button>
        {onPicture && (
          <label className="button">
            Imagem…
            <input
              type="file"
              accept="image/*"
              className="unseen"
              onChange={event => void readPicture(event.currentTarget.files?.[0])}
            />
          </label>
        )}
        <button type="button" className="button" onClick={onCancel}>
          Voltar
        </button>
      </div>
    </form>
  )
}
