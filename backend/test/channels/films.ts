// Films of one picture, for tests: what they hold can be read, and is nothing to look at.
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

const SIZE = { codedWidth: 16, codedHeight: 16 }
const H264 = { codec: 'avc1.42001f', ...SIZE, description: Buffer.from('0142001fffe100046742001f01000268ce', 'hex') }

async function makeFilm(
  format: MovOutputFormat | Mp4OutputFormat | WebMOutputFormat,
  codec: 'avc' | 'vp8',
  config: VideoDecoderConfig,
) {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source)
  await output.start()
  await source.add(new EncodedPacket(new Uint8Array(40).fill(1), 'key', 0, 0.04), { decoderConfig: config })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

export const MOV = await makeFilm(new MovOutputFormat(), 'avc', H264)
export const MP4 = await makeFilm(new Mp4OutputFormat(), 'avc', H264)
export const WEBM = await makeFilm(new WebMOutputFormat(), 'vp8', { codec: 'vp8', ...SIZE })
