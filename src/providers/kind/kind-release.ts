/** The kind release that is downloaded where no kind is found, and what it was released with. */
export const kindRelease = {
  version: 'v0.33.0',
  /** SHA-256 of the release's binaries for Linux, by Node's name of the architecture. */
  binaries: {
    x64: { file: 'kind-linux-amd64', sha256: 'aee6151561422756b764a4ae28e7f44cda5af5a9eead3cc9985112b1de8d8e0d' },
    arm64: { file: 'kind-linux-arm64', sha256: '20022bee6cfcd5086cb7234d218e3454e6090022f2a8f55d1fa7fcf42c3867a2' },
  },
} as const;

export const kindDownloads = 'https://github.com/kubernetes-sigs/kind/releases/download';

/**
 * Node images by Kubernetes version, newest first. kind supports an image at exactly the digest that a release names:
 * these are v0.33.0's, and v0.30.0's v1.34.0, which the published experiment ran on.
 */
export const nodeImages: Readonly<Record<string, string>> = {
  '1.37.0': 'kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5',
  '1.36.4': 'kindest/node:v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed',
  '1.35.8': 'kindest/node:v1.35.8@sha256:07b2536e30b803ed61d1677a79df6115f798ce64c80f9e22f6ed45afd09323c0',
  '1.34.11': 'kindest/node:v1.34.11@sha256:44e222ee2132dab25ff87301682f89eb82c7880ea3a1bf543bfe9708fd08d67d',
  '1.34.0': 'kindest/node:v1.34.0@sha256:7416a61b42b1662ca6ca89f02028ac133a309a2a30ba309614e8ec94d976dc5a',
};

export const defaultNodeImage =
  'kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5';
