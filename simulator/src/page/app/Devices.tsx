// The company's phone: its camera on the codes that wait to be read, and the devices linked to it.
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { PhoneDevice, PhoneView, Scan } from '../model.ts'
import { act } from './client.ts'
import { formatClock } from './format.ts'
import { Scanner } from './Scanner.tsx'

interface Props {
  phone: PhoneView
  scans: Scan[]
  onChats: () => void
}

export function Devices({ phone, scans, onChats }: Props) {
  return (
    <>
      <div className="phone-head">
        <b className="head-title">Aparelhos conectados</b>
        <button type="button" className="head-button" aria-label="Conversas deste celular" onClick={onChats}>
          <MessageSquare size={19} strokeWidth={1.7} />
        </button>
      </div>
      <Scanner phone={phone} scans={scans} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area has to be reachable by keyboard */}
      <section className="devices" aria-label="Conectados" tabIndex={0}>
        <p className="sheet-title">Conectados</p>
        {phone.devices.length === 0 && (
          <p className="devices-empty">Nenhum aparelho. Leia um código para ligar o Balcão a este número.</p>
        )}
        <ul>
          {phone.devices.map(device => (
            <DeviceRow key={device.id} device={device} phone={phone.id} />
          ))}
        </ul>
      </section>
    </>
  )
}

function DeviceRow({ device, phone }: { device: PhoneDevice; phone: string }) {
  const [sure, setSure] = useState(false)
  return (
    <li className="device">
      <span className="face company">
        <img src="icon.svg" alt="" width="26" height="26" />
      </span>
      <span className="document-words">
        <b>{device.name}</b>
        <span>
          {device.online ? 'ativo agora' : device.seenAt ? `visto às ${formatClock(device.seenAt)}` : 'fora do ar'}
        </span>
      </span>
      <button
        type="button"
        className="link-danger"
        onBlur={() => setSure(false)}
        onClick={() => void (sure ? act.logOut(phone, device.id) : setSure(true))}
      >
        {sure ? 'Sair mesmo?' : 'Sair'}
      </button>
    </li>
  )
}
