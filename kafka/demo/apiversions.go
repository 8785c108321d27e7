package demo

import (
	"regexp"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// softwareName is what Kafka accepts as a client's name and version.
var softwareName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$`)
})

// apiVersions answers ApiVersions.
func (c *connection) apiVersions(req *kmsg.ApiVersionsRequest) *kmsg.ApiVersionsResponse {
	resp := req.ResponseKind().(*kmsg.ApiVersionsResponse)
	if req.Version >= 3 && !(softwareName().MatchString(req.ClientSoftwareName) && softwareName().MatchString(req.ClientSoftwareVersion)) {
		resp.ErrorCode = int16(kafka.CodeInvalidRequest)
		return resp
	}
	st := &c.cluster.setup
	for _, key := range st.release.keys() {
		resp.ApiKeys = append(resp.ApiKeys, apiKey(key, st.release.apis[key]))
	}
	if req.Version < 3 {
		return resp
	}
	if st.release.zookeeper {
		resp.FinalizedFeaturesEpoch = 0 // seen: an epoch, though there are no features
		return resp
	}
	c.cluster.view(func(*state, int64) { resp.FinalizedFeaturesEpoch = c.cluster.epoch })
	// Before v4 a supported feature that begins at 0 is left out.
	for _, f := range st.release.features {
		if req.Version >= 4 {
			resp.SupportedFeatures = append(resp.SupportedFeatures, supported(f.name, 0, f.max))
		}
		if f.finalized && st.MetadataVersion == st.release.metadataVersion {
			resp.FinalizedFeatures = append(resp.FinalizedFeatures, finalized(f.name, f.max))
		}
	}
	resp.SupportedFeatures = append(resp.SupportedFeatures, supported(metadataVersion, st.release.metadataMin, st.release.metadataMax))
	resp.FinalizedFeatures = append(resp.FinalizedFeatures, finalized(metadataVersion, st.MetadataVersion))
	return resp
}

const metadataVersion = "metadata.version"

func apiKey(key int16, v Versions) kmsg.ApiVersionsResponseApiKey {
	k := kmsg.NewApiVersionsResponseApiKey()
	k.ApiKey, k.MinVersion, k.MaxVersion = key, v.Min, v.Max
	return k
}

func supported(name string, lowest, highest int16) kmsg.ApiVersionsResponseSupportedFeature {
	f := kmsg.NewApiVersionsResponseSupportedFeature()
	f.Name, f.MinVersion, f.MaxVersion = name, lowest, highest
	return f
}

func finalized(name string, level int16) kmsg.ApiVersionsResponseFinalizedFeature {
	f := kmsg.NewApiVersionsResponseFinalizedFeature()
	f.Name, f.MinVersionLevel, f.MaxVersionLevel = name, level, level
	return f
}

// tooNewApiVersions answers a version that is not offered: in the form of v0,
// with the range of ApiVersions itself, so that a client can ask again. Kafka
// before 2.4 lists nothing.
func (c *connection) tooNewApiVersions(h header) ([]byte, bool) {
	if c.stage != signedIn && c.stage != awaitAny || c.stage == signedIn && c.expired() {
		return nil, false
	}
	req := kmsg.NewPtrApiVersionsRequest()
	return c.respond(h, req, func() (kmsg.Response, bool) {
		resp := kmsg.NewPtrApiVersionsResponse()
		resp.ErrorCode = int16(kafka.CodeUnsupportedVersion)
		v, offered := c.cluster.setup.release.apis[h.key]
		if offered && v.Max >= 3 {
			resp.ApiKeys = []kmsg.ApiVersionsResponseApiKey{apiKey(h.key, v)}
		}
		return resp, true
	})
}
