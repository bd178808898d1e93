import { type Socket, createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Listening, cannotListen, complain } from './listen.ts';
import type { Responder } from './responder.ts';

/**
 * Datagrams wait here while the process is busy; as many as the kernel allows (net.core.rmem_max), since thousands of
 * flows may speak within a few milliseconds.
 */
const receiveBufferBytes = 4 * 1024 * 1024;

/** Resolves with the port once every ping datagram is answered to its sender; rejects with a StartFailure. */
export function serveUdp(responder: Responder, at: Listening): Promise<number> {
  const family = isIPv6(at.host) ? 6 : 4;
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    recvBufferSize: receiveBufferBytes,
    // every answer goes to the address that its ping came from: nothing is to be looked up, nor waited for
    lookup: (address, _options, found) => {
      found(null, address, family);
    },
  });
  answerPings(socket, responder);
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      reject(cannotListen(at, cause));
    };
    socket.once('error', fail);
    socket.bind({ address: at.host, port: at.port }, () => {
      socket.off('error', fail);
      socket.on('error', (error) => {
        complain(at.option, error);
      });
      resolve(socket.address().port);
    });
  });
}

function answerPings(socket: Socket, responder: Responder): void {
  socket.on('message', (datagram, sender) => {
    const answer = responder.answer(datagram.toString('latin1'));
    // Source port 0 asks for no answer (RFC 768), and sending to it throws.
    if (answer === null || sender.port === 0) return;
    socket.send(answer, sender.port, sender.address, () => {
      // An answer that can't be sent is a lost datagram to the client, which records it as such.
    });
  });
}
