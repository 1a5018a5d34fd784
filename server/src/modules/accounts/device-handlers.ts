import type { Handlers } from '../../http/handler.ts';
import { ACCESS_TOKEN_SECONDS } from './access-token.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { decideDevice, lookUpDevice } from './decide-device-authorization.ts';
import { presentWaitingDevice } from './present.ts';
import { redeemDeviceCode } from './redeem-device-code.ts';
import { startDeviceAuthorization } from './start-device-authorization.ts';

type Names = 'auth.device.code' | 'auth.device.token' | 'auth.device.lookup' | 'auth.device.decide';

export function deviceHandlers(deps: AccountsDeps): Pick<Handlers, Names> {
  return {
    'auth.device.code': ({ body, client: { address, userAgent } }) =>
      startDeviceAuthorization(deps, { clientId: body.client_id, address, userAgent }),
    'auth.device.token': async ({ body, client }) => {
      const { token, refreshToken } = await redeemDeviceCode(deps, {
        grantType: body.grant_type,
        deviceCode: body.device_code,
        clientId: body.client_id,
        address: client.address,
      });
      return {
        access_token: token,
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_SECONDS,
        refresh_token: refreshToken,
      };
    },
    'auth.device.lookup': async ({ body, caller, client }) => {
      const person = { ...caller, address: client.address };
      return presentWaitingDevice(await lookUpDevice(deps, person, body.userCode));
    },
    'auth.device.decide': async ({ body, caller, client }) => {
      await decideDevice(deps, { ...caller, address: client.address }, body);
      return { approved: body.approve };
    },
  };
}
